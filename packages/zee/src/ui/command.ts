// `zee ui`.
export { runUi } from './ui.ts'
