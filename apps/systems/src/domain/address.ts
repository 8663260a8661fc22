/** What a credential is made for: the same login at another host or port is another secret. */
export const addressOf = ({ host, port }: { host: string; port?: number | undefined }): string =>
  `${host} ${port ?? -1}`;
