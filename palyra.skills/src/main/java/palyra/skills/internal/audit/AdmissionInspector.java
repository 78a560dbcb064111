package palyra.skills.internal.audit;

import java.util.ArrayList;
import java.util.List;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import palyra.shared.wasm.ModuleFacts;
import palyra.shared.wasm.Reason;

/** Inspects modules by the admission that also decides whether they run. Thread-safe. */
public final class AdmissionInspector implements ModuleSummary.Inspector {
    private static final int PAGE = 65_536;
    private static final String MEMORY = "memory";

    @Override
    public ModuleSummary inspect(byte[] module, long memoryBytes) {
        int pages = (int) Math.max(1, Math.min(PAGE, memoryBytes / PAGE));
        AdmissionRules rules =
                AdmissionRules.closed(AdmissionLimits.DEFAULTS.withMemoryPages(pages));
        Admitted admitted = Admission.admit(module, rules);
        List<String> faults = new ArrayList<>();
        for (Reason reason : admitted.reasons()) {
            if (!reason.code().equals(Reason.IMPORT_UNKNOWN)) { // those are looked at by name
                faults.add(reason.code() + ": " + reason.sentence());
            }
        }
        List<ModuleSummary.Import> imports = new ArrayList<>();
        for (ModuleFacts.Import each : admitted.facts().imports()) {
            String type = each.type();
            imports.add(new ModuleSummary.Import(each.module(), each.name(), type));
        }
        List<String> functions = new ArrayList<>();
        List<String> types = new ArrayList<>();
        boolean memory = false;
        for (ModuleFacts.Export each : admitted.facts().exports()) {
            if (each.kind() == ModuleFacts.Kind.FUNCTION) {
                functions.add(each.name());
                types.add(each.type());
            }
            memory |= each.kind() == ModuleFacts.Kind.MEMORY && each.name().equals(MEMORY);
        }
        return new ModuleSummary(imports, functions, types, memory, faults);
    }
}
