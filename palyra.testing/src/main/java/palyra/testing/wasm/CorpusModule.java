package palyra.testing.wasm;

/**
 * A module of the corpus, as it comes to admission.
 *
 * @param name what it is, unique
 * @param bytes the binary, not metered
 * @param export function to call, {@code () -> i32} or {@code () -> i64}
 * @param fuel fuel to give it
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record CorpusModule(String name, byte[] bytes, String export, long fuel) {
    @Override
    public String toString() {
        return name;
    }
}
