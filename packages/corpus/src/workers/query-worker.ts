// Worker program: searches texts of the index. A separate entry of the bundle.
import { serveQueries } from '../index/index.ts'
import { serveThread } from './serve.ts'

serveThread('query-worker', serveQueries)
