import type { FastifyInstance } from "fastify";

export interface Route {
  path: string;
  methods: string[];
}

/** The addresses of an app. Fastify prints each below its longest prefix. */
export function routesOf(app: FastifyInstance): Route[] {
  const printed = app.printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return [...printed.matchAll(/^([│ ]*)[├└]── (\S+) \(([^)]*)\)$/gm)].map(
    ([, indent = "", part = "", methods = ""]) => {
      const depth = indent.length / 4;
      const path = (above[depth - 1] ?? "") + part;
      above[depth] = path;
      return { path, methods: methods.split(", ").filter((one) => /^(GET|POST)$/.test(one)) };
    },
  );
}
