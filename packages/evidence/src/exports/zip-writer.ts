// Writes a zip archive with deflated entries.
import { crc32, deflateRawSync } from 'node:zlib'

export class ZipWriter {
  readonly #directory: Buffer[] = []
  #offset = 0

  /** The bytes of an entry. */
  entry(name: string, content: Buffer): Buffer {
    const packed = deflateRawSync(content)
    const nameBytes = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    // The name is UTF-8.
    fields.writeUInt16LE(0x800, 2)
    fields.writeUInt16LE(8, 4)
    // 1980-01-01: the same evidence gives the same bytes.
    fields.writeUInt16LE(0x21, 8)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(nameBytes.length, 22)
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), fields, nameBytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(this.#offset, 10)
    const made = Buffer.from([20, 3])
    this.#directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, place, nameBytes]))
    this.#offset += head.length + packed.length
    return Buffer.concat([head, packed])
  }

  /** The directory at the end of the archive. */
  end(): Buffer {
    const directory = Buffer.concat(this.#directory)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(this.#directory.length, 8)
    end.writeUInt16LE(this.#directory.length, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(this.#offset, 16)
    return Buffer.concat([directory, end])
  }
}
