/**
 * The C library as far as the launcher needs it. Functions are called through JNA's {@code
 * Function}, not by direct mapping: a directly mapped class is kept by JNA for ever (its table of
 * type options refers to the class), and this bundle is replaced while JNA stays.
 */
package palyra.sandbox.posix.internal.libc;
