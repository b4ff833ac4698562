// The thread that runs patterns that may take long. Bundled as an entry of its own.
import { serveRegex } from '../regex/regex.ts'
import { serveThread } from './serve.ts'

serveThread('regex-worker', serveRegex)
