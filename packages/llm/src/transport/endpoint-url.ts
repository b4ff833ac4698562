// Builds the URL of a request from the base URL and a path.

/** `path` may have a query, which is added to the query of the base URL. */
export function endpointUrl(base: URL, path: string): URL {
  const url = new URL(base)
  const [pathname = '', query] = path.split('?')
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${pathname}`
  if (query !== undefined) {
    for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  }
  if (url.hash !== '') url.hash = ''
  return url
}
