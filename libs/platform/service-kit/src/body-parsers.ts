import express, { type Express } from 'express';

/** JSON bodies of the platform's services are small; files travel as streams that no parser touches. */
export const BODY_LIMIT = 1024 * 1024;

export function addBodyParsers(app: Express): void {
  app.use(express.json({ limit: BODY_LIMIT, strict: false, type: ['application/json', '+json'] }));
  app.use(express.urlencoded({ limit: BODY_LIMIT, extended: false }));
}
