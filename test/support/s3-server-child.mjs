// An S3 server in a separate process: `node s3-server-child.mjs <folder> <bucket>`. Prints its
// port.
import S3rver from "s3rver";

const [directory, bucket] = process.argv.slice(2);
const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
console.log(port);
