// Where a request goes below a base URL.

/** `path` may bring a query of its own; that of the base stays. */
export function endpointUrl(base: URL, path: string): URL {
  const url = new URL(base)
  const [pathname = '', query] = path.split('?')
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${pathname}`
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  url.hash = ''
  return url
}
