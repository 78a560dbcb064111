/** Jars that persons send to swap a bundle by. */
package palyra.console.internal.upload;
