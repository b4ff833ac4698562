// A thread that searches texts of the index. Bundled as an entry of its own.
import { serveQueries } from '../index/index.ts'
import { serveThread } from './serve.ts'

serveThread('query-worker', serveQueries)
