import { Controller, Get, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Gives, ListParameters } from '@libs/service-kit';
import { AuditActions } from '../actions/audit.actions';
import { AuditRecord } from '../domain/audit-record';

@Controller('v3/security/audit')
export class AuditController {
  constructor(private readonly audit: AuditActions) {}

  @Get()
  @ListParameters({ 'jwtUser.eq': 'attribute.operator=value: a condition; any attribute' })
  @ApiQuery({ name: 'tenant', required: true, type: String })
  @Gives([AuditRecord])
  async list(@Caller() caller: Caller, @Query() query: Record<string, string | string[]>) {
    const { records, metadata } = await this.audit.list(caller, query);
    return reply('SK_FOUND', `${records.length} changes`, records, { metadata });
  }
}
