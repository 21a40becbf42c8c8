/** Outputs of small runs of VASP and Quantum ESPRESSO, written by hand in the formats of the programs. */

export const VASPRUN = `<?xml version="1.0" encoding="ISO-8859-1"?>
<modeling>
 <generator>
  <i name="program" type="string">vasp </i>
  <i name="version" type="string">6.3.0  </i>
 </generator>
 <incar>
  <i type="string" name="GGA">PE</i>
  <i type="logical" name="LDAU"> T  </i>
  <v name="LDAUU">      5.30000000      0.00000000</v>
  <i name="ENCUT">    520.00000000</i>
 </incar>
 <parameters>
  <separator name="electronic" >
   <i name="ENMAX">    520.00000000</i>
   <i type="int" name="NELM">    60</i>
   <i type="logical" name="LHFCALC"> F  </i>
  </separator>
 </parameters>
 <atominfo>
  <atoms>       2 </atoms>
  <types>       2 </types>
  <array name="atoms" >
   <dimension dim="1">ion</dimension>
   <field type="string">element</field>
   <field type="int">atomtype</field>
   <set>
    <rc><c>Fe</c><c>   1</c></rc>
    <rc><c>O </c><c>   2</c></rc>
   </set>
  </array>
  <array name="atomtypes" >
   <set>
    <rc><c>   1</c><c>Fe</c><c>     55.84700000</c><c>     14.00000000</c><c>  PAW_PBE Fe_pv 02Aug2007               </c></rc>
    <rc><c>   1</c><c>O </c><c>     16.00000000</c><c>      6.00000000</c><c>  PAW_PBE O 08Apr2002                  </c></rc>
   </set>
  </array>
 </atominfo>
 <structure name="initialpos" >
  <crystal>
   <varray name="basis" >
    <v>       9.00000000       0.00000000       0.00000000 </v>
    <v>       0.00000000       9.00000000       0.00000000 </v>
    <v>       0.00000000       0.00000000       9.00000000 </v>
   </varray>
  </crystal>
 </structure>
 <calculation>
  <scstep>
   <energy>
    <i name="alphaZ">     33.00000000 </i>
    <i name="e_fr_energy">    -13.00000000 </i>
    <i name="e_wo_entrp">    -13.00000000 </i>
    <i name="e_0_energy">    -13.00000000 </i>
   </energy>
  </scstep>
  <scstep>
   <energy>
    <i name="e_fr_energy">    -14.02000000 </i>
    <i name="e_wo_entrp">    -13.98000000 </i>
    <i name="e_0_energy">    -14.00000000 </i>
   </energy>
  </scstep>
  <energy>
   <i name="e_fr_energy">    -14.02000000 </i>
   <i name="e_wo_entrp">    -14.00000000 </i>
   <i name="e_0_energy">      0.02000000 </i>
  </energy>
  <eigenvalues>
   <array>
    <set>
     <set comment="spin 1">
      <set comment="kpoint 1">
       <r>   -5.0000    1.0000 </r>
       <r>    1.0000    1.0000 </r>
       <r>    3.5000    0.0000 </r>
      </set>
      <set comment="kpoint 2">
       <r>   -5.5000    1.0000 </r>
       <r>    0.5000    1.0000 </r>
       <r>    4.0000    0.0000 </r>
      </set>
     </set>
    </set>
   </array>
  </eigenvalues>
  <dos>
   <i name="efermi">      2.00000000 </i>
  </dos>
 </calculation>
 <structure name="finalpos" >
  <crystal>
   <varray name="basis" >
    <v>       0.00000000       2.15000000       2.15000000 </v>
    <v>       2.15000000       0.00000000       2.15000000 </v>
    <v>       2.15000000       2.15000000       0.00000000 </v>
   </varray>
   <i name="volume">     19.87675000 </i>
  </crystal>
  <varray name="positions" >
   <v>       0.00000000       0.00000000       0.00000000 </v>
   <v>       0.50000000       0.50000000       0.50000000 </v>
  </varray>
 </structure>
</modeling>
`;

export const OUTCAR = ` vasp.6.3.2 27Jun22 (build) complex
   VRHFIN =Fe: d7 s1
   TITEL  = PAW_PBE Fe_pv 02Aug2007
   VRHFIN =O: s2p4
   TITEL  = PAW_PBE O 08Apr2002
   ions per type =               1   1
   ENCUT  =  520.0 eV  38.22 Ry
   GGA     =    PE    GGA type
   LHFCALC =     F
   U (eV)           for each species LDAUU =   5.3  0.0
      direct lattice vectors                 reciprocal lattice vectors
     9.000000000  0.000000000  0.000000000     0.111111111  0.000000000  0.000000000
     0.000000000  9.000000000  0.000000000     0.000000000  0.111111111  0.000000000
     0.000000000  0.000000000  9.000000000     0.000000000  0.000000000  0.111111111
------------------------ aborting loop because EDIFF is reached ----------------------------------------
 E-fermi :   2.1000     XC(G=0):  -8.0000
 number of electron      14.0000000 magnetization       4.0000000
      direct lattice vectors                 reciprocal lattice vectors
     0.000000000  2.150000000  2.150000000    -0.232558140  0.232558140  0.232558140
     2.150000000  0.000000000  2.150000000     0.232558140 -0.232558140  0.232558140
     2.150000000  2.150000000  0.000000000     0.232558140  0.232558140 -0.232558140
 POSITION                                       TOTAL-FORCE (eV/Angst)
 -----------------------------------------------------------------------------------
      0.00000      0.00000      0.00000         0.000000      0.000000      0.000000
      2.15000      2.15000      2.15000         0.000000      0.000000      0.000000
 -----------------------------------------------------------------------------------
  free  energy   TOTEN  =       -14.02000000 eV
  energy  without entropy=      -13.98000000  energy(sigma->0) =      -14.00000000
 General timing and accounting informations for this job:
`;

export const ESPRESSO = `<?xml version="1.0" encoding="UTF-8"?>
<qes:espresso xmlns:qes="http://www.quantum-espresso.org/ns/qes/qes-1.0" Units="Hartree atomic units">
  <general_info><creator NAME="PWSCF" VERSION="7.2">XML file generated by PWSCF</creator></general_info>
  <input><atomic_structure nat="1" alat="99"><cell><a1>99 0 0</a1></cell></atomic_structure></input>
  <output>
    <convergence_info><scf_conv><convergence_achieved>true</convergence_achieved><n_scf_steps>7</n_scf_steps></scf_conv></convergence_info>
    <atomic_structure nat="2" alat="1.026000000000000e1">
      <atomic_positions>
        <atom name="Si1" index="1">0.000000000000000e0 0.000000000000000e0 0.000000000000000e0</atom>
        <atom name="Si2" index="2">2.565000000000000e0 2.565000000000000e0 2.565000000000000e0</atom>
      </atomic_positions>
      <cell>
        <a1>-5.130000000000000e0 0.000000000000000e0 5.130000000000000e0</a1>
        <a2>0.000000000000000e0 5.130000000000000e0 5.130000000000000e0</a2>
        <a3>-5.130000000000000e0 5.130000000000000e0 0.000000000000000e0</a3>
      </cell>
    </atomic_structure>
    <basis_set><ecutwfc>2.000000000000000e1</ecutwfc></basis_set>
    <dft><functional>PBESOL</functional></dft>
    <magnetization><lsda>false</lsda><noncolin>false</noncolin></magnetization>
    <total_energy><etot>-7.900000000000000e0</etot><demet>-2.000000000000000e-3</demet></total_energy>
    <band_structure>
      <lsda>false</lsda>
      <fermi_energy>2.350000000000000e-1</fermi_energy>
      <ks_energies><k_point weight="1">0 0 0</k_point><eigenvalues size="3">-0.2 0.22 0.25</eigenvalues></ks_energies>
      <ks_energies><k_point weight="1">0 0 1</k_point><eigenvalues size="3">-0.1 0.20 0.24</eigenvalues></ks_energies>
    </band_structure>
  </output>
</qes:espresso>
`;
