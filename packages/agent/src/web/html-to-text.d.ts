// The part of `html-to-text` that `web_fetch` uses; the package has no declarations.
declare module 'html-to-text' {
  export function convert(html: string, options?: Readonly<Record<string, unknown>>): string
}
