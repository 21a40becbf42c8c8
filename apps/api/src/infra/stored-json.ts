/** Shapes of JSON columns that only this program reads. prisma/schema.prisma gives them to the table types of Kysely. */
import type { CalculationStep, Workaround } from '@unitcell/calculators';
import type { WorkingIon } from '@unitcell/contract/ecwindow/rules';
import type {
  IonBarriersJson,
  IonHopJson,
  PipelineStep,
  PotentialName,
  PredictedTask,
  RelaxationCourse,
  ResponseTask,
  RunPhysics,
  SubmissionDetail,
} from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { MessageParameters, NestedMessage, Note } from '../messages/messages.ts';

/** Name of a part taken from a source; for energies followed by a colon and the scale. */
export type PartName = string;

/** Figures of one source that are compared with other sources, and the parts of the source that are shown. */
export interface RecordFigures {
  readonly spaceGroup: string;
  /**
   * Values by name: `volume_per_atom` (Å³), `band_gap` (eV), `magnetization_per_atom` (µB), `k_vrh`, `g_vrh` (GPa),
   * `epsilon_electronic`, `epsilon_total`; other numbers of the table of fields by column; by scale
   * `formation_energy:PBE …`, `energy:PBE …` (eV/atom).
   */
  readonly values: Readonly<Record<string, number>>;
  /** Parts of the material that come from this record. */
  readonly shown: readonly PartName[];
}

export interface EngineRun {
  readonly step: CalculationStep;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** The result of the built-in potential. It is not a material, because its energies are on a separate scale. */
export interface Prediction {
  /** Name and version of the model. */
  readonly model: string;
  /** The submitted cell, relaxed. */
  readonly cell: CompactCell;
  /** eV, raw scale of the model. */
  readonly energyPerAtom: number;
  /** eV/Å */
  readonly maxForce: number;
  readonly pressureGpa: number;
  readonly warnings: readonly Note[];
}

type PredictedRow = NonNullable<SubmissionDetail['row']['predicted']>;

/** Hops of an ion whose refusals are translated when they are read. Older rows have them in English. */
export type StoredBarriers = Omit<IonBarriersJson, 'hops'> & {
  readonly hops: readonly (Omit<IonHopJson, 'refusal'> & { readonly refusal?: NestedMessage | string })[];
};

/** Predicted properties besides the relaxed crystal. Lists of submissions do not include them: curves are long. */
export interface PredictedResults
  extends Pick<
    PredictedRow,
    'course' | 'hull' | 'eos' | 'elastic' | 'elastic_moduli' | 'phonons' | 'expansion'
  > {
  readonly barrier?: StoredBarriers;
  /** Reason why the energy could not be compared with a hull. */
  readonly hullReason?: Note;
  readonly failed: readonly { readonly task: PredictedTask; readonly reason: Note }[];
}

/** A material of the host of an insertion electrode. */
export interface StoredElectrodeState {
  readonly structId: number;
  /** Ions per framework unit. */
  readonly content: number;
  /** Å³ per framework unit */
  readonly volume: number;
  /** eV/atom */
  readonly aboveHull: number;
  /** eV per framework unit */
  readonly aboveProfile: number;
  readonly isOnProfile: boolean;
}

/** State between steps. It lets any worker continue after the last finished step. */
export interface SubmissionState {
  readonly done?: readonly PipelineStep[];
  /** How often each step was started. A step that repeatedly kills its worker is not started again. */
  readonly begun?: Readonly<Partial<Record<PipelineStep, number>>>;
  /** Infrastructure faults since the last finished step. */
  readonly faults?: number;
  /** Geometry from which the next step starts. */
  readonly cell?: CompactCell;
  /** µB per site of `cell`; null without spin. */
  readonly moments?: readonly number[] | null;
  readonly isMetal?: boolean;
  readonly workarounds?: readonly Workaround[];
  /** Folder of each finished calculation, below the submission's own. */
  readonly folders?: Readonly<Partial<Record<CalculationStep, string>>>;
  /** The run in progress. A worker that continues the submission attaches to it. */
  readonly running?: { readonly folder: string; readonly handle: string } | null;
  readonly runs?: readonly EngineRun[];
  readonly settings?: Readonly<Partial<Record<CalculationStep, Readonly<Record<string, unknown>>>>>;
  readonly warnings?: readonly string[];
  /** Fermi energy of the static step, eV. */
  readonly fermiEnergy?: number;
  /** The band path through the Brillouin zone of `cell`, made together with the cell. */
  readonly kPoints?: readonly Vec3[];
  readonly kDistance?: readonly number[];
  readonly kLabels?: readonly { readonly index: number; readonly label: string }[];
  /** Reciprocal lattice vectors of `cell` as rows, 1/Å including 2π. */
  readonly reciprocalLattice?: Mat3;
  readonly reasonParameters?: MessageParameters;
  /** Requested properties besides the energy. */
  readonly tasks?: readonly PredictedTask[];
  /**
   * Å³ per atom of the crystal that was submitted first, if this submission continues its relaxation: the change of
   * volume is limited over the whole chain.
   */
  readonly startVolume?: number;
  /** For the task `barrier`: the ion that hops; absent: the first that the crystal contains. */
  readonly ion?: WorkingIon;
  /** The potential of a prediction; absent: the default potential. */
  readonly potential?: PotentialName;
  /** Options of a calculation from first principles. */
  readonly physics?: readonly RunPhysics[];
  /**
   * Energies of the magnetic orderings compared so far, eV/atom, in the order of `magneticOrderings`. If the
   * calculation of an ordering failed, the entry is the reason code instead.
   */
  readonly orderings?: readonly (number | string)[];
  /** Moments with which each of `orderings` ended, µB per site. */
  readonly orderingMoments?: readonly (readonly number[])[];
  /** Tasks that gave no result; the calculation goes on without them. */
  readonly failedTasks?: readonly { readonly task: ResponseTask; readonly detail: string }[];
  /** For a running prediction: its relaxation so far. */
  readonly course?: RelaxationCourse;
  readonly predicted?: Prediction;
  /** The id of the result. It is reserved before the result is stored, so that storing is idempotent. */
  readonly reservedId?: number;
}
