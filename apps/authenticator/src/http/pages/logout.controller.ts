import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import type { Request, Response } from 'express';
import { goodbyePage } from '../../views/login.view';
import { PageProblems } from './page-problems';
import { Pages } from './pages';
import { Wallet } from './wallet';

/** Out again, from the pages and from the web application alike. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller(['v3/oauth2/logout', 'v3/oauth2/webapp/logout'])
export class LogoutController {
  constructor(
    private readonly pages: Pages,
    private readonly wallet: Wallet,
  ) {}

  @Get()
  async leave(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.open(request, response);
    this.wallet.empty(response, browser.secure);
    await this.pages.leave(response, browser);
    this.pages.send(response, goodbyePage(browser.tenant.tenant_id));
  }

  @Repeatable()
  @Post()
  leaveByForm(@Req() request: Request, @Res() response: Response) {
    return this.leave(request, response);
  }
}
