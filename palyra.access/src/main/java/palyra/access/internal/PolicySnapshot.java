package palyra.access.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedSet;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.shared.json.Jcs;

/**
 * The security configuration that a tool call is decided under, as canonical JSON. Process and WASM
 * runners are stated as they are: off.
 */
final class PolicySnapshot {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private PolicySnapshot() {}

    /**
     * Returns the snapshot for one request.
     *
     * @param allowed tools that the run may use at all
     */
    static String json(
            ToolPolicyRequest question,
            SortedSet<String> allowed,
            String rulesSha256,
            boolean safeMode) {
        ObjectNode root = JSON.objectNode();
        ArrayNode tools = root.putArray("allowed_tools");
        allowed.forEach(tools::add);
        root.put("max_calls_per_run", question.maxCallsPerRun());
        root.put(
                "execution_timeout_ms",
                question.descriptor() == null ? 0 : question.descriptor().timeoutMillis());
        root.put("policy_set_sha256", rulesSha256);
        root.put("safe_mode", safeMode);
        root.set("process_runner", processRunner());
        root.set("wasm_runtime", wasmRuntime());
        return Jcs.text(root);
    }

    private static ObjectNode processRunner() {
        ObjectNode runner = JSON.objectNode();
        runner.put("enabled", false);
        runner.put("tier", "c");
        runner.put("workspace_root", "");
        runner.putArray("allowed_executables");
        runner.put("allow_interpreters", false);
        runner.put("egress_enforcement_mode", "strict");
        runner.putArray("allowed_egress_hosts");
        runner.putArray("allowed_dns_suffixes");
        runner.put("cpu_time_limit_ms", 0);
        runner.put("memory_limit_bytes", 0);
        runner.put("max_output_bytes", 0);
        return runner;
    }

    private static ObjectNode wasmRuntime() {
        ObjectNode runtime = JSON.objectNode();
        runtime.put("enabled", false);
        runtime.put("allow_inline_modules", false);
        runtime.put("max_module_size_bytes", 0);
        runtime.put("fuel_budget", 0);
        runtime.put("max_memory_bytes", 0);
        runtime.put("max_table_elements", 0);
        runtime.put("max_instances", 0);
        runtime.putArray("allowed_http_hosts");
        runtime.putArray("allowed_secrets");
        runtime.putArray("allowed_storage_prefixes");
        runtime.putArray("allowed_channels");
        return runtime;
    }
}
