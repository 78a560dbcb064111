/** The process tools and what ties them to the framework. */
package palyra.sandbox.internal.process;
