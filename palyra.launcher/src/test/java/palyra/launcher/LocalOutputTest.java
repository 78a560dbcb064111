package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalOutputTest {
    @ParameterizedTest
    @CsvSource({
        "Broken pipe, true",
        "No space left on device, false",
        "Bad file descriptor, false"
    })
    void tellsAReaderThatHasGoneFromAMediumThatRefuses(String system, boolean gone) {
        OutputStream failing =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException(system);
                    }

                    @Override
                    public void flush() throws IOException {
                        throw new IOException(system);
                    }
                };
        LocalOutput out = new LocalOutput(failing);
        for (LocalOutput.Refused refused :
                new LocalOutput.Refused[] {
                    assertThrows(LocalOutput.Refused.class, () -> out.write(1)),
                    assertThrows(LocalOutput.Refused.class, () -> out.write(new byte[3])),
                    assertThrows(LocalOutput.Refused.class, out::flush)
                }) {
            assertEquals(gone, refused.readerGone());
        }
    }
}
