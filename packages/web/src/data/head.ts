// What every page says of itself.

export interface PageHead {
  schemaVersion: 1
  title: string
  /** RFC 3339, UTC. */
  generatedAt: string
  /** Who made it: `zcl 0.1.0`. */
  madeBy: string
}
