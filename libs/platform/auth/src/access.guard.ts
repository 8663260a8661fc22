import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Forbidden } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { tokenIn, type AccessCheck } from './access-check';
import type { AuthenticatedRequest } from './caller';
import { requestContext } from './request-context';
import { idempotencyOf } from './idempotency-of';
import { ANY_SITE, AUDIENCES, PUBLIC, REPEATABLE, SERVICES_ONLY } from './route-access';

interface RouteAccess {
  open: boolean;
  repeatable: boolean;
  anySite: boolean;
  services?: string[];
  audiences: string[];
}

/** Puts the caller on the request and into its context, or refuses; on public routes a bad token is as good as none. */
export class AccessGuard implements CanActivate {
  private readonly routes = new WeakMap<object, WeakMap<object, RouteAccess>>();

  constructor(
    private readonly check: AccessCheck,
    /** Goes into the hashes of bodies, which may hold passwords that could be guessed. */
    private readonly pepper = '',
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    if (execution.getType() !== 'http') return true;
    const request = execution.switchToHttp().getRequest<AuthenticatedRequest>();
    const route = this.accessOf(execution);
    // Nothing to look at, and nothing that costs: where everybody may come in, most come without a token.
    if (route.open && !tokenIn(request.headers)) return true;
    const context = requestContext();
    try {
      const tracking = context?.trackingId ?? '';
      request.caller = await this.check.caller(request.headers, tracking, route);
      if (context) {
        context.caller = request.caller;
        if (!route.repeatable)
          context.idempotency = idempotencyOf(request, request.caller, this.pepper);
      }
    } catch (error) {
      if (!route.open) throw error;
      return true;
    }
    const { services } = route;
    if (services) {
      const { accountType, service } = request.caller;
      if (accountType !== 'service' || (services.length && !services.includes(service ?? '')))
        throw new Forbidden(
          platform().code('SERVICES_ONLY'),
          `Only ${services.length ? `the services ${services.join(', ')}` : 'services'} may do this`,
        );
    }
    return true;
  }

  private accessOf(execution: ExecutionContext): RouteAccess {
    const controller = execution.getClass();
    const handler = execution.getHandler();
    let ofController = this.routes.get(controller);
    if (!ofController) this.routes.set(controller, (ofController = new WeakMap()));
    let access = ofController.get(handler);
    if (!access) {
      const read = (key: string): unknown =>
        Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
      access = {
        open: read(PUBLIC) === true,
        repeatable: read(REPEATABLE) === true,
        anySite: read(ANY_SITE) === true,
        services: read(SERVICES_ONLY) as string[] | undefined,
        audiences: (read(AUDIENCES) as string[] | undefined) ?? [],
      };
      ofController.set(handler, access);
    }
    return access;
  }
}
