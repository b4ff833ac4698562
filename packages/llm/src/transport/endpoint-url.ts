// Builds the URL of a request from the base URL and a path.

/** The last URL of each base: parsing one takes 40 us, and a model is asked with the same path again. */
const lastBuilt = new WeakMap<URL, { path: string; url: URL }>()

/** `path` may have a query, which is added to the query of the base URL. Callers must not change the result. */
export function endpointUrl(base: URL, path: string): URL {
  const last = lastBuilt.get(base)
  if (last?.path === path) return last.url
  const url = buildUrl(base, path)
  lastBuilt.set(base, { path, url })
  return url
}

function buildUrl(base: URL, path: string): URL {
  const url = new URL(base)
  const [pathname = '', query] = path.split('?')
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${pathname}`
  if (query !== undefined) {
    for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  }
  url.hash = ''
  return url
}
