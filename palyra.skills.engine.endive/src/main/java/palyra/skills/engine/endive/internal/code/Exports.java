package palyra.skills.engine.endive.internal.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import run.endive.wasm.WasmModule;
import run.endive.wasm.types.Export;
import run.endive.wasm.types.ExternalType;
import run.endive.wasm.types.FunctionImport;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.Import;

/** Finds exports of a module. Stateless. */
final class Exports {
    private Exports() {}

    /** Returns the types of exported functions. */
    static Map<String, FunctionType> functions(WasmModule module) {
        List<Integer> types = new ArrayList<>();
        for (int at = 0; at < module.importSection().importCount(); at++) {
            Import one = module.importSection().getImport(at);
            if (one instanceof FunctionImport function) {
                types.add(function.typeIndex());
            }
        }
        for (int at = 0; at < module.functionSection().functionCount(); at++) {
            types.add(module.functionSection().getFunctionType(at));
        }
        Map<String, FunctionType> found = new HashMap<>();
        for (int at = 0; at < module.exportSection().exportCount(); at++) {
            Export export = module.exportSection().getExport(at);
            if (export.exportType() == ExternalType.FUNCTION) {
                found.put(export.name(), module.typeSection().getType(types.get(export.index())));
            }
        }
        return Map.copyOf(found);
    }

    /** Returns the index of the export with a name and type; -1 when it does not exist. */
    static int index(WasmModule module, String name, ExternalType type) {
        for (int at = 0; at < module.exportSection().exportCount(); at++) {
            Export export = module.exportSection().getExport(at);
            if (export.exportType() == type && export.name().equals(name)) {
                return export.index();
            }
        }
        return -1;
    }
}
