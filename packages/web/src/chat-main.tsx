// The entry of the chat page, which `zino http` serves.
import { render } from 'preact'
import { Chat } from './chat/chat.tsx'
import { applyStoredTheme } from './theme.tsx'

applyStoredTheme()
const root = document.getElementById('app')
if (root !== null) render(<Chat />, root)
