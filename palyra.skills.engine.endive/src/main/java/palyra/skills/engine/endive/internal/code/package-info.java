/** From a module's bytes to loaded classes: compiler, cache in memory, cache on disk. */
package palyra.skills.engine.endive.internal.code;
