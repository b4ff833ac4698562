// What a reader sees when a page cannot be shown: why, and not nothing.
import { Component, type ComponentChildren } from 'preact'

interface State {
  problem?: string
}

export class Boundary extends Component<{ children: ComponentChildren }, State> {
  override state: State = {}

  static override getDerivedStateFromError(error: unknown): State {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render({ children }: { children: ComponentChildren }) {
    const { problem } = this.state
    if (problem === undefined) return <>{children}</>
    return (
      <section class="panel" aria-label="A fault of the page">
        <p class="body bad-ink">This part of the page cannot be shown: {problem}</p>
      </section>
    )
  }
}
