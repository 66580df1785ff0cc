// A worker that makes bytes smaller, so that the page can go on drawing meanwhile.
self.onmessage = async ({ data: { number, bytes } }) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
    const packed = await new Response(stream).arrayBuffer();
    self.postMessage({ number, packed }, [packed]);
};
