// Starts a command several times in the sandbox of @anthropic-ai/sandbox-runtime from one node
// process, and prints the nanoseconds of each, from the request to the end of the command.
// Arguments: how often, the command.
import { spawn } from "node:child_process";
import { SandboxManager } from "@anthropic-ai/sandbox-runtime";

const WARM = 3;
const count = Number(process.argv[2]);
const command = process.argv[3];

await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: ["."], denyWrite: [] },
});
for (let i = -WARM; i < count; i++) {
    const begin = process.hrtime.bigint();
    const words = await SandboxManager.wrapWithSandbox(command);
    const code = await new Promise((resolve, reject) => {
        const child = spawn(words, { shell: true, stdio: "ignore" });
        child.on("error", reject);
        child.on("exit", resolve);
    });
    const nanos = process.hrtime.bigint() - begin;
    if (code !== 0) {
        console.error(`srt: the command ended with ${code}`);
        process.exit(1);
    }
    if (i >= 0) {
        console.log(String(nanos));
    }
}
await SandboxManager.reset();
process.exit(0);
