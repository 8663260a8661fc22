import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import { type ApiError, isApiError } from '@libs/envelope';
import { parse } from '@libs/fields';
import type { Request, Response } from 'express';
import { ClientActions, type Owner } from '../../actions/clients.actions';
import {
  clientPage,
  clientsPage,
  type ClientValues,
  createdClientPage,
  newClientPage,
} from '../../views/clients.view';
import { ClientChangeRequest, NewClientRequest } from '../client.requests';
import { PageProblems } from './page-problems';
import { type LoggedIn, Pages } from './pages';
import { Webapp } from './webapp';

const TO = 'clients';
const ownerOf = ({ tenant, user }: LoggedIn): Owner => ({
  tenant: tenant.tenant_id,
  user: user.username,
});

/** One's own OAuth clients, as pages; the rules are those of the REST calls. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/webapp/clients')
export class ClientPages {
  constructor(
    private readonly pages: Pages,
    private readonly webapp: Webapp,
    private readonly clients: ClientActions,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.open(request, response, TO);
    if (!somebody) return;
    const found = await this.clients.list(ownerOf(somebody));
    this.pages.send(response, clientsPage(somebody.around, found));
  }

  @Get('new')
  async blank(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.open(request, response, TO);
    if (somebody) this.pages.send(response, newClientPage(somebody.around));
  }

  @Repeatable()
  @Post('new')
  async create(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    const names = ['client_id', 'client_type', 'callback_url', 'display_name', 'description'];
    const values = filled(names, somebody.value);
    try {
      const wanted = parse(NewClientRequest, values, { what: 'the form' });
      const { client, clientKey } = await this.clients.create(ownerOf(somebody), wanted);
      this.pages.send(response, createdClientPage(somebody.around, client, clientKey));
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      this.pages.send(response, newClientPage(somebody.around, values, error.text), {
        status: error.status,
      });
    }
  }

  @Get(':clientId')
  async one(@Req() request: Request, @Res() response: Response, @Param('clientId') id: string) {
    const somebody = await this.webapp.open(request, response, TO);
    if (!somebody) return;
    const client = await this.clients.get(ownerOf(somebody), id);
    this.pages.send(response, clientPage(somebody.around, client));
  }

  @Repeatable()
  @Post(':clientId')
  async change(@Req() request: Request, @Res() response: Response, @Param('clientId') id: string) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    const { value, around } = somebody;
    const given: ClientValues = {
      callback_url: value('callback_url').trim(),
      description: value('description').trim(),
      ...filled(['display_name'], value),
    };
    const client = await this.clients.get(ownerOf(somebody), id);
    try {
      const change = parse(ClientChangeRequest, given, { what: 'the form' });
      await this.clients.update(ownerOf(somebody), id, change);
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      const page = clientPage(around, client, given, error.text);
      return this.pages.send(response, page, { status: error.status });
    }
    this.pages.go(response, 'webapp/clients');
  }

  @Repeatable()
  @Post(':clientId/delete')
  async remove(@Req() request: Request, @Res() response: Response, @Param('clientId') id: string) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    if (somebody.value('sure') !== 'yes')
      return this.pages.go(response, `webapp/clients/${encodeURIComponent(id)}`);
    await this.clients.remove(ownerOf(somebody), id);
    this.pages.go(response, 'webapp/clients');
  }
}

/** Fields that were left empty were not given. */
function filled(names: string[], value: (name: string) => string): ClientValues {
  const pairs = names.map((name) => [name, value(name).trim()] as const);
  return Object.fromEntries(pairs.filter(([, text]) => text)) as ClientValues;
}

/** What the person can mend in the form. */
const isCorrectable = (error: unknown): error is ApiError =>
  isApiError(error, 400) || isApiError(error, 409);
