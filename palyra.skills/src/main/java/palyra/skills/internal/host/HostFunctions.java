package palyra.skills.internal.host;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.skills.internal.model.SkillGrants;

/**
 * The functions that a call may import: those of every skill, and of the others exactly the kinds
 * of which the manifest grants something.
 */
public final class HostFunctions {
    private HostFunctions() {}

    /** Returns them, bound to a call. */
    public static WasmHost of(HostCall call, HostSeams seams) {
        List<WasmFunction> functions = new ArrayList<>(BasicFunctions.of(call));
        functions.addAll(WasiFunctions.of(call));
        functions.add(AbortFunction.function());
        functions.addAll(LegacyFunctions.of(call.scope().grants()));
        functions.addAll(granted(call, seams));
        return new WasmHost(functions);
    }

    private static List<WasmFunction> granted(HostCall call, HostSeams seams) {
        SkillGrants grants = call.scope().grants();
        SecretCapabilities secrets = new SecretCapabilities(call, seams.secrets());
        List<WasmFunction> functions = new ArrayList<>();
        Linker linker = new Linker(call, seams.denials(), functions);
        if (!grants.httpHosts().isEmpty()) {
            linker.link("http_request", new HttpCapability(call, seams.egress(), secrets)::request);
        }
        if (!grants.secrets().isEmpty()) {
            linker.link("secret_open", secrets::open);
            linker.link("secret_value", secrets::value);
        }
        if (!grants.storage().isEmpty()) {
            StorageCapabilities storage = new StorageCapabilities(call, seams.storage());
            linker.link("storage_get", storage::get);
            linker.link("storage_put", storage::put);
            linker.link("storage_delete", storage::delete);
            linker.link("storage_list", storage::list);
        }
        if (!grants.channels().isEmpty()) {
            ChannelCapability channels = new ChannelCapability(call, seams);
            linker.link("channel_send", channels::send);
            linker.link("channel_edit", channels::edit);
            linker.link("channel_react", channels::react);
        }
        if (!grants.readChannels().isEmpty()) {
            linker.link("channel_read", new ConversationCapability(call, seams)::read);
        }
        return functions;
    }

    private record Linker(HostCall call, Denials denials, List<WasmFunction> functions) {
        void link(String name, CapabilityFunction.Capability capability) {
            functions.add(CapabilityFunction.of(call, denials, name, capability));
        }
    }

    /** Returns the kinds of which something is granted, in a fixed order. */
    public static List<String> kinds(SkillGrants grants) {
        List<String> kinds = new ArrayList<>();
        if (!grants.httpHosts().isEmpty()) {
            kinds.add("http");
        }
        if (!grants.secrets().isEmpty()) {
            kinds.add("secrets");
        }
        if (!grants.storage().isEmpty()) {
            kinds.add("storage");
        }
        if (!grants.channels().isEmpty() || !grants.readChannels().isEmpty()) {
            kinds.add("channels");
        }
        return List.copyOf(kinds);
    }
}
