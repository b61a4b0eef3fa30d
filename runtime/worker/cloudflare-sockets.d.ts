declare module 'cloudflare:sockets' {
  interface Socket {
    readonly readable: ReadableStream<Uint8Array>
    readonly writable: WritableStream<Uint8Array>
    /** The same connection from now on encrypted; this object is of no more use then. */
    startTls(): Socket
    close(): Promise<void>
  }
  function connect(
    address: { readonly hostname: string; readonly port: number },
    options: { readonly secureTransport: 'on' | 'off' | 'starttls' },
  ): Socket
}
