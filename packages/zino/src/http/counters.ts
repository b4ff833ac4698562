// Counts the requests of the bridge, for /metrics.

export class Counters {
  /** Requests by route and status. */
  readonly requests = new Map<string, { route: string; status: number; count: number }>()
  active = 0
  /** Answers of the model that are being streamed. */
  streams = 0

  /** Counts a request that begins; the returned function ends it. */
  begin(): (route: string, status: number) => void {
    this.active += 1
    return (route, status) => {
      this.active -= 1
      const key = `${route} ${status}`
      const row = this.requests.get(key) ?? { route, status, count: 0 }
      row.count += 1
      this.requests.set(key, row)
    }
  }
}
