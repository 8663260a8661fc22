import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import type { Idempotency } from './idempotency';

type Handler = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Lets every POST handler of the service answer a repeated request from memory. Before the routes are made, and by
 * wrapping the handlers: a global interceptor would cost every other request a tenth of its time.
 */
export function makePostsRepeatable(modules: ModulesContainer, idempotency: Idempotency): void {
  for (const { controllers } of modules.values())
    for (const { instance } of controllers.values())
      if (instance) wrapPosts(instance as Record<string, unknown>, idempotency);
}

function wrapPosts(controller: Record<string, unknown>, idempotency: Idempotency): void {
  const prototype = Object.getPrototypeOf(controller) as object;
  for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = controller[name] as Handler;
    if (Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.POST) continue;
    const wrapped: Handler = function (...args) {
      return idempotency.once(() => handler.apply(this, args));
    };
    // What the decorators said of the handler holds for what stands in its place.
    for (const key of Reflect.getMetadataKeys(handler) as string[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), wrapped);
    controller[name] = wrapped;
  }
}
