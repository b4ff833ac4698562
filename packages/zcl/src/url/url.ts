// Strips credentials from URLs before they are printed or recorded.

/** The URL without user and password, even when the password contains an `@`. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1')
}
