package palyra.skills.internal.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import palyra.skills.internal.artifact.ArtifactLimits;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.model.SkillTool;

/** The checks of one module. Not thread-safe. */
final class ModuleChecks {
    /** Most functions that a module may export. */
    static final int MAX_EXPORTS = 128;

    private static final String COMMAND = "_start";
    private static final String RESULT = "() -> (i32)";

    private final ModuleSummary.Inspector inspector;
    private final Manifest manifest;
    private final AuditChecks findings;

    ModuleChecks(ModuleSummary.Inspector inspector, Manifest manifest, AuditChecks findings) {
        this.inspector = inspector;
        this.manifest = manifest;
        this.findings = findings;
    }

    void check(String path, byte[] content) {
        findings.judge("wasm_module_presence", path, List.of());
        findings.judge(
                "wasm_module_size_limit",
                path,
                content.length <= ArtifactLimits.MAX_MODULE_BYTES
                        ? List.of()
                        : List.of("It has " + content.length + " bytes; 8 MiB fit."));
        ModuleSummary module = inspector.inspect(content, manifest.quotas().memoryBytes());
        findings.judge("wasm_module_validation", path, module.faults());
        int exports = module.functions().size();
        findings.judge(
                "wasm_exported_function_limit",
                path,
                exports <= MAX_EXPORTS
                        ? List.of()
                        : List.of("It exports " + exports + " functions; 128 fit."));
        imports(path, module);
        findings.judge("wasm_entrypoints", path, entrypoints(path, module));
    }

    private void imports(String path, ModuleSummary module) {
        List<String> files = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        List<String> ungranted = new ArrayList<>();
        for (ModuleSummary.Import wanted : module.imports()) {
            String fault = AbiImports.fault(wanted);
            if (AbiImports.touchesFiles(wanted)) {
                files.add(wanted.module() + "." + wanted.name() + ": skills have no files.");
            } else if (!fault.isEmpty()) {
                unknown.add(fault + ".");
            }
            String grant = AbiImports.missingGrant(wanted, manifest.grants());
            if (!grant.isEmpty()) {
                ungranted.add(wanted.name() + " is imported and " + grant + " grants nothing.");
            }
        }
        findings.judge("wasm_wasi_filesystem_imports", path, files);
        findings.judge("wasm_imports_known", path, unknown);
        findings.judge("wasm_imports_granted", path, ungranted);
    }

    private List<String> entrypoints(String path, ModuleSummary module) {
        List<String> faults = new ArrayList<>();
        for (SkillTool tool : manifest.tools()) {
            if (!tool.module().equals(path)) {
                continue;
            }
            int at = module.functions().indexOf(tool.entrypoint());
            String wanted = tool.entrypoint().equals(COMMAND) ? "() -> ()" : RESULT;
            if (at < 0) {
                faults.add(
                        "The tool "
                                + tool.id()
                                + " calls "
                                + tool.entrypoint()
                                + ", which is not exported.");
            } else if (!Objects.equals(module.types().get(at), wanted)) {
                faults.add(
                        tool.entrypoint()
                                + " has the type "
                                + module.types().get(at)
                                + "; "
                                + wanted
                                + " is called.");
            }
            if (!module.memory() && !tool.legacy()) {
                faults.add("The memory is not exported as 'memory'.");
            }
        }
        return faults;
    }
}
