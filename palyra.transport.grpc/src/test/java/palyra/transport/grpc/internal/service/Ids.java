package palyra.transport.grpc.internal.service;

import palyra.shared.hash.Ulids;

/** Fresh ids of tests. */
final class Ids {
    private static final Ulids IDS = new Ulids();

    private Ids() {}

    static String next() {
        return IDS.next();
    }
}
