/** Where this machine itself reaches a listener: an address that means "all of them" can't be called. */
export function callable({ host, port }: { host: string; port: number }): {
  host: string;
  port: number;
} {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  return { host: everywhere[host] ?? host, port };
}
