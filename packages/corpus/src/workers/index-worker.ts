// A thread that reads files into the index. Bundled as an entry of its own.
import { serveBuilder } from '../index/index.ts'
import { serveThread } from './serve.ts'

serveThread('index-worker', serveBuilder)
