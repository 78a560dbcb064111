package palyra.sandbox.posix.internal.spawn;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.keep.ResourceCache;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Limit;

/**
 * Keeps images of stages, because to make one in memory takes a tenth of a launch, and most calls
 * have the same limits. An image is sealed, holds no secret of a call, and is only executed, so
 * nothing gets from one call to another by it. Thread-safe.
 */
public final class StageImages implements AutoCloseable {
    private final Descriptors descriptors;
    private final ResourceCache<Image> keeper;

    /** Creates it. */
    public StageImages(Libc libc) {
        descriptors = new Descriptors(libc);
        keeper = new ResourceCache<>(image -> libc.close(image.descriptor()));
    }

    /**
     * What an image is for.
     *
     * @param limits what it sets
     * @param hard hard limits of this process, -1 for none
     * @param own descriptor of the image in the process
     * @param doors descriptors of cgroups to join
     * @param gate descriptor that brings leave to go on; -1 for none
     */
    public record Wanted(
            Rlimits limits, Map<Limit, Long> hard, int own, List<Integer> doors, int gate) {
        /** Copies. */
        public Wanted {
            hard = Map.copyOf(hard);
            doors = List.copyOf(doors);
        }
    }

    private record Image(Wanted wanted, int descriptor) {}

    /** An image that stays open until it is given back. */
    public static final class Lease implements AutoCloseable {
        private final ResourceCache.Lease<Image> of;

        private Lease(ResourceCache.Lease<Image> of) {
            this.of = of;
        }

        /** Returns its descriptor. */
        public int descriptor() {
            return of.ask(Image::descriptor);
        }

        @Override
        public void close() {
            of.close();
        }
    }

    /**
     * Returns an image.
     *
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED or TOOL_UNAVAILABLE when the system
     *     gives no file in memory, or the launcher is stopping
     */
    public Lease take(Wanted wanted) {
        return keeper.take(
                        image -> image.wanted().equals(wanted),
                        image -> true, // it depends on nothing else
                        () -> Optional.of(make(wanted)))
                .map(Lease::new)
                .orElseThrow();
    }

    private Image make(Wanted wanted) {
        byte[] image =
                StageImage.of(
                        wanted.limits(),
                        wanted.hard()::get,
                        wanted.own(),
                        wanted.doors(),
                        wanted.gate());
        return new Image(wanted, descriptors.program(image));
    }

    /** Gives all back; what is in use, once it is not. */
    @Override
    public void close() {
        keeper.close();
    }
}
