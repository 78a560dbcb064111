package palyra.backup.internal.known;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.access.Permit;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.json.Jcs;

/**
 * What an operator went on without. Immutable.
 *
 * @param files paths below the state folder
 * @param keys ids of published keys
 * @param policySet digest of the policy set that was in force before; empty when it is kept
 * @param payloadFiles how many payload files the restored backup had; 0 when none is missing
 */
record GivenUp(List<String> files, List<String> keys, String policySet, long payloadFiles) {
    static final String EVENT = "state_accepted";

    static GivenUp of(
            Map<String, ? extends Set<String>> lostFiles,
            Set<String> lostKeys,
            String lostSet,
            Optional<Manifest> restored) {
        Set<String> files = new TreeSet<>();
        lostFiles.forEach((folder, names) -> names.forEach(name -> files.add(folder + "/" + name)));
        restored.ifPresent(missing -> files.addAll(missing.files().keySet()));
        return new GivenUp(
                new ArrayList<>(files),
                new ArrayList<>(lostKeys),
                lostSet,
                restored.map(Manifest::payloadFiles).orElse(0L));
    }

    boolean isNothing() {
        return files.isEmpty() && keys.isEmpty() && policySet.isEmpty() && payloadFiles == 0;
    }

    /** Returns all of it, for people and programs. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("files", files);
        fields.put("keys", keys);
        fields.put("policySet", policySet);
        fields.put("payloadFiles", payloadFiles);
        return fields;
    }

    Operation.Append event(Permit permit) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("principal", permit.principal().id());
        about.put("permitId", permit.permitId());
        files.forEach(about.putArray("files")::add);
        keys.forEach(about.putArray("keys")::add);
        about.put("policySet", policySet);
        about.put("payloadFiles", payloadFiles);
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, EVENT, 1, Jcs.bytes(about));
    }
}
