// URLs as they may be shown: a name and a password in them concern nobody.

/** Everything before the last `@` of the authority goes, also where a password holds an `@` itself. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1')
}
