/**
 * The C library as far as the launcher needs it. Functions are called through JNA's {@code
 * Function}, not by direct mapping: JNA never releases a directly mapped class (its table of type
 * options refers to it), and this bundle is replaced while JNA stays.
 */
package palyra.sandbox.posix.internal.libc;
