package palyra.policy.internal.set;

import java.util.function.LongSupplier;
import palyra.api.core.journal.Journal;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;

/**
 * What policy sets are made with.
 *
 * @param cedar native engine; the gate does not wait for an absent one
 * @param journal store of events; the gate does not wait for an absent one
 * @param check native engine's word on policy requests that are decided, which never waits for
 *     candidates
 * @param trust which engine decides
 * @param disk writes files
 * @param bootId start of this process
 * @param clock unix milliseconds
 */
public record PolicyDependencies(
        PolicyFolders places,
        Gate<Cedar> cedar,
        Gate<Journal> journal,
        NativeEngineCheck check,
        EngineSelector trust,
        DurableFiles disk,
        String bootId,
        LongSupplier clock) {}
