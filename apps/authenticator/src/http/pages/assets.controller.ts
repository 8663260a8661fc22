import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@libs/auth';
import { NotFound } from '@libs/envelope';
import type { Response } from 'express';
import { ASSETS } from '../../views/layout';

/** The stylesheet and the script of the pages, under names that change with what is in them. */
@ApiExcludeController()
@Controller('v3/oauth2/assets')
export class AssetsController {
  @Public()
  @Get(':name')
  get(@Param('name') name: string, @Res() response: Response): void {
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (!asset) throw new NotFound('AUTHENTICATOR_ASSET', `Nothing is named "${name}".`, name);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.type(asset.type).send(asset.text);
  }
}
