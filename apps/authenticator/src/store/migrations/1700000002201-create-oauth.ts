import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOauth1700000002201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      `CREATE TABLE oauth_client (
         tenant       text NOT NULL,
         client_id    text NOT NULL,
         client_type  text NOT NULL,
         key_hash     text,
         callback_url text NOT NULL,
         display_name text NOT NULL,
         description  text NOT NULL,
         owner        text NOT NULL,
         active       boolean NOT NULL DEFAULT true,
         deleted      timestamptz,
         tokens_end   boolean NOT NULL DEFAULT false,
         created      timestamptz NOT NULL DEFAULT now(),
         updated      timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (tenant, client_id)
       )`,
      'CREATE INDEX oauth_client_owner ON oauth_client (tenant, owner)',
      'CREATE INDEX oauth_client_ending ON oauth_client (tenant) WHERE tokens_end',
      `CREATE TABLE tenant_config (
         tenant     text PRIMARY KEY,
         config     jsonb NOT NULL,
         updated    timestamptz NOT NULL DEFAULT now(),
         updated_by text NOT NULL
       )`,
      `CREATE TABLE authorization_code (
         code_hash      text PRIMARY KEY,
         tenant         text NOT NULL,
         client_id      text NOT NULL,
         username       text NOT NULL,
         idp_id         text,
         redirect_uri   text NOT NULL,
         code_challenge text,
         nonce          text,
         scope          text,
         created        timestamptz NOT NULL DEFAULT now(),
         expires        timestamptz NOT NULL,
         used           timestamptz,
         reused         boolean NOT NULL DEFAULT false,
         gave_jti       text,
         gave_exp       bigint
       )`,
      'CREATE INDEX authorization_code_expires ON authorization_code (expires)',
      `CREATE TABLE device_code (
         code_hash      text PRIMARY KEY,
         user_code_hash text NOT NULL,
         tenant         text NOT NULL,
         client_id      text NOT NULL,
         state          text NOT NULL,
         scope          text,
         username       text,
         idp_id         text,
         access_seconds integer,
         pause_seconds  integer NOT NULL,
         polled         timestamptz,
         expires        timestamptz NOT NULL,
         UNIQUE (tenant, user_code_hash)
       )`,
      'CREATE INDEX device_code_expires ON device_code (expires)',
      `CREATE TABLE issued_token (
         jti           text PRIMARY KEY,
         tenant        text NOT NULL,
         username      text NOT NULL,
         client_id     text,
         grant_type    text NOT NULL,
         ttl_seconds   integer NOT NULL,
         refresh_jti   text,
         created       timestamptz NOT NULL DEFAULT now(),
         expires       timestamptz NOT NULL,
         -- of what lives longest: the token, or the refresh token that came with it
         ends          timestamptz NOT NULL,
         revoked       timestamptz
       )`,
      'CREATE INDEX issued_token_client ON issued_token (tenant, client_id) WHERE revoked IS NULL',
      'CREATE INDEX issued_token_ends ON issued_token (ends)',
      `CREATE TABLE auth_event (
         id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         at          timestamptz NOT NULL DEFAULT now(),
         tenant      text NOT NULL,
         event       text NOT NULL,
         outcome     text NOT NULL,
         status      integer NOT NULL,
         username    text,
         client_id   text,
         grant_type  text,
         address     text NOT NULL,
         tracking_id text
       )`,
      'CREATE INDEX auth_event_tenant ON auth_event (tenant, id)',
      'CREATE INDEX auth_event_at ON auth_event (at)',
      `CREATE TABLE failed_attempt (
         key      text PRIMARY KEY,
         failures integer NOT NULL,
         since    timestamptz NOT NULL
       )`,
      // counters of a minute: a crash may take them
      `CREATE UNLOGGED TABLE rate_window (
         key    text PRIMARY KEY,
         starts timestamptz NOT NULL,
         count  integer NOT NULL
       )`,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE oauth_client, tenant_config, authorization_code, device_code, issued_token, auth_event,
         failed_attempt, rate_window`,
    );
  }
}
