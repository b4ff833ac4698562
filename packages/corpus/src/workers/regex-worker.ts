// Worker program: runs patterns that may take long. A separate entry of the bundle.
import { serveRegex } from '../regex/regex.ts'
import { serveThread } from './serve.ts'

serveThread('regex-worker', serveRegex)
