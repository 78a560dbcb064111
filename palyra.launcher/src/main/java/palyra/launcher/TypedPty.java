package palyra.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.spi.Pty;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import org.jline.utils.NonBlockingInputStream;

/** This process's terminal, with an input that JLine shares with the commands. */
final class TypedPty implements Pty {
    private final Pty system;
    private final TypedInput input;

    TypedPty(Pty system, TypedInput input) {
        this.system = system;
        this.input = input;
    }

    @Override
    public InputStream getSlaveInput() {
        return new NonBlockingInputStream() {
            @Override
            public int read(long timeoutMillis, boolean peek) throws IOException {
                try {
                    return input.read(timeoutMillis, peek);
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            }
        };
    }

    /** JLine would be woken ten times a second, by an empty read that is an end here. */
    @Override
    public void setAttr(Attributes attributes) throws IOException {
        Attributes waiting = new Attributes(attributes);
        if (!attributes.getLocalFlag(Attributes.LocalFlag.ICANON)) {
            waiting.setControlChar(Attributes.ControlChar.VMIN, 1);
            waiting.setControlChar(Attributes.ControlChar.VTIME, 0);
        }
        system.setAttr(waiting);
    }

    @Override
    public Attributes getAttr() throws IOException {
        return system.getAttr();
    }

    @Override
    public OutputStream getSlaveOutput() throws IOException {
        return system.getSlaveOutput();
    }

    @Override
    public InputStream getMasterInput() throws IOException {
        return system.getMasterInput();
    }

    @Override
    public OutputStream getMasterOutput() throws IOException {
        return system.getMasterOutput();
    }

    @Override
    public Size getSize() throws IOException {
        return system.getSize();
    }

    @Override
    public void setSize(Size size) throws IOException {
        system.setSize(size);
    }

    @Override
    public SystemStream getSystemStream() {
        return system.getSystemStream();
    }

    @Override
    public TerminalProvider getProvider() {
        return system.getProvider();
    }

    @Override
    public void close() throws IOException {
        system.close();
    }
}
