/**
 * A global set-up whose errors vitest shows. vitest 4.1.12 fails with "code.charCodeAt is not a function" when it maps the
 * stack of an error to modules of its file cache, which it reads as bytes. The stack is therefore formatted before.
 */
export const shownSetup =
  <Project, Teardown>(setup: (project: Project) => Promise<Teardown>) =>
  async (project: Project): Promise<Teardown> => {
    try {
      return await setup(project);
    } catch (error) {
      const { prepareStackTrace } = Error;
      // Without this hook, the first access formats the stack as Node does, and stores the result.
      Reflect.deleteProperty(Error, 'prepareStackTrace');
      void (error as Error).stack;
      Error.prepareStackTrace = prepareStackTrace;
      throw error;
    }
  };
