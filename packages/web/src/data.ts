// The shape of what a page embeds. A program fills it in; the viewer only reads it.

/** One page: what it shows, for people and for machines. Everything in it has been redacted. */
export interface PageData {
  schemaVersion: 1
  kind: 'session' | 'trajectory' | 'run' | 'attempt' | 'comparison'
  title: string
  /** RFC 3339, UTC. */
  generatedAt: string
}
