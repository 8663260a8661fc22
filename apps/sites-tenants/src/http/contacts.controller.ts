import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { ContactsActions } from '../actions/contacts.actions';
import { Ldap, Owner } from '../domain/contacts';

/** Who is asked about tenants, and the directories of their people: any valid token reads, nobody else. */
@Controller('v3/tenants')
export class ContactsController {
  constructor(private readonly contacts: ContactsActions) {}

  @Get('owners')
  async owners() {
    const owners = await this.contacts.list('owner');
    return reply('TENANTS_OWNERS_FOUND', `${owners.length} owners`, owners);
  }

  @Get('owners/:email')
  async owner(@Param('email') email: string) {
    return reply('TENANTS_OWNER_FOUND', email, await this.contacts.get('owner', email));
  }

  @Post('owners')
  @HttpCode(201)
  async addOwner(@Caller() caller: Caller, @Body() body: Owner) {
    const owner = await this.contacts.addOwner(caller, body);
    return reply('TENANTS_OWNER_CREATED', body.email, owner, { status: 201 });
  }

  @Delete('owners/:email')
  async removeOwner(@Caller() caller: Caller, @Param('email') email: string) {
    await this.contacts.remove(caller, 'owner', email);
    return reply('TENANTS_OWNER_DELETED', email, null);
  }

  @Get('ldaps')
  async ldaps() {
    const ldaps = await this.contacts.list('ldap');
    return reply('TENANTS_LDAPS_FOUND', `${ldaps.length} LDAP records`, ldaps);
  }

  @Get('ldaps/:ldapId')
  async ldap(@Param('ldapId') id: string) {
    return reply('TENANTS_LDAP_FOUND', id, await this.contacts.get('ldap', id));
  }

  @Post('ldaps')
  @HttpCode(201)
  async addLdap(@Caller() caller: Caller, @Body() body: Ldap) {
    const ldap = await this.contacts.addLdap(caller, body);
    return reply('TENANTS_LDAP_CREATED', body.ldap_id, ldap, { status: 201 });
  }

  @Delete('ldaps/:ldapId')
  async removeLdap(@Caller() caller: Caller, @Param('ldapId') id: string) {
    await this.contacts.remove(caller, 'ldap', id);
    return reply('TENANTS_LDAP_DELETED', id, null);
  }
}
