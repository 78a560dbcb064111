package palyra.sandbox.tierc.linux.internal;

import java.util.Optional;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Filters;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/**
 * What sandboxes are made of on this host.
 *
 * @param bwrap bubblewrap
 * @param version its version
 * @param socat the bridge to a proxy; absent when it is not installed
 * @param architecture processor that filters are made for; absent when the kernel has no filters
 * @param filters keeps the filters
 */
record Kit(
        HelperProgram bwrap,
        String version,
        Optional<HelperProgram> socat,
        Optional<Architecture> architecture,
        Filters filters) {
    /** Returns the filter of a profile; empty when the kernel has none. */
    Optional<SeccompFilter> filter(Profile profile) {
        return architecture.map(one -> filters.of(profile, one));
    }
}
