// Shows the error message when a view fails to render.
import { Component, type ComponentChildren } from 'preact'

interface State {
  problem?: string
}

export class ErrorBoundary extends Component<{ children: ComponentChildren }, State> {
  override state: State = {}

  static override getDerivedStateFromError(error: unknown): State {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render({ children }: { children: ComponentChildren }) {
    const { problem } = this.state
    if (problem === undefined) return <>{children}</>
    return (
      <section class="panel" aria-label="Page error">
        <p class="body bad-ink">This page cannot be shown: {problem}</p>
      </section>
    )
  }
}
