/**
 * Gibbs energies of formation of aqueous ions at 298.15 K, 1 bar and 1 mol/l, kJ/mol, and the reference solid of each
 * element with its measured Gibbs energy: element | reference solid | kJ/mol | ions with kJ/mol and source; …
 *
 * The reference ion table of the Materials Project (MPContribs, CC BY 4.0), from KingsburyLab/pyEQL, commit 059f2d0.
 * K. A. Persson, B. Waldwick, P. Lazic, G. Ceder, Phys. Rev. B 85, 235438 (2012).
 */
export const AQUEOUS_IONS = `
Ag|Ag2O|-11.18|Ag[+] 76.99 W;AgOH(aq) -92 W;Ag[2+] 265.92 P;Ag(OH)2[-] -260.24 W
Al|Al2O3|-1582|AlO2[-] -823.54 W;Al[3+] -485.4 W;AlOH[2+] -694.12 W;Al(OH)4[-] -1298 W
As|As2O5|-777.4|H2AsO3[-] -587.24 W;HAsO4[2-] -714.45 W;H3AsO4(aq) -766.08 W;AsO2[-] -349.97 W;AsO[+] -163.8 W;AsO4[3-] -648.44 W;HAsO2(aq) -402.37 W;H2AsO4[-] -753.23 W
Au|Au2O3|77.76|Au(OH)3(aq) -283.47 W;Au[3+] 429.79 P;AuO3[3-] -51.882 W;HAuO3[2-] -142.26 W;H2AuO3[-] -218.4 W
B|B2O3|-1193|B4O7[2-] -2605 W;H2B4O7(aq) -2720 W;H5(BO3)2(H2O2)2[-] -2161.9 W;BH4[-] 114.25 W;BO2[-] -678.92 W;H2BO3[-] -910.38 B;H3BO3(aq) -968.88 W;H2BO3(H2O2)[-] -1057.7 W;HB4O7[-] -2685.3 W;B(OH)4[-] -1153.5 N
Ba|BaO|-520.4|Ba[2+] -560.81 W;BaOH[+] -730.52 W
Be|BeO|-580.1|Be[2+] -379.86 B;BeO2[2-] -640.08 B;Be3(OH)3[3+] -1801.6 W
Bi|Bi2O3|-490.4|Bi6O6[6+] -922.99 W;Bi6O6(OH)3[3+] -1588.2 W;Bi9(OH)20[7+] -3981.1 W;Bi9(OH)22[5+] -4422.1 W;BiO[+] -146.44 W;BiOH[2+] -146.44 W;Bi9(OH)21[6+] -4199.9 W;Bi[3+] 82.843 W
Br|NaBr|-356.2|Br3[-] -107.12 W;BrO[-] -33.475 W;HBrO(aq) -82.242 W;Br2(aq) 3.865 W;Br5[-] -103.77 W;HBrO3(aq) 5.6005 B;Br[-] -103.76 W;BrO3[-] 1.522 W
C|Na2CO3|-1053|C2H4(aq) 81.228 W;CO2(aq) -386.06 W;CO3[2-] -527.88 W;CH3COO[-] -369.63 W;HCO3[-] -586.85 B;C2H2(aq) 217.04 W;C2H6(aq) -17.179 W;CO(aq) -119.88 W;C2O4[2-] -674.15 W;CH3OH(aq) -104.87 W;C2H5O[-] -102.52 W;CH3CH2OH(aq) -181.8 W;HCOOH(aq) -372.44 W;CH4(aq) -34.499 B;HCOO[-] -351.23 W;CH3COOH(aq) -396.66 W;HC2O4[-] -698.4 W
Ca|CaO|-603.3|Ca[2+] -553.43 W;CaOH[+] -718.39 W
Cd|CdO|-228.7|CdOH[+] -261.08 W;Cd[2+] -77.385 W;CdO2[2-] -284.51 W;HCdO2[-] -363.59 W;Cd(OH)2(aq) -442.6 W
Ce|CeO2|-1031|Ce[3+] -672.78 W;Ce[4+] -504.56 W;Ce(OH)[3+] -783.66 P;Ce(OH)2[2+] -1017.2 P
Cl|NaCl|-391.3|Cl3[-] -83.68 W;ClO2[-] 17.119 W;ClO4[-] -8.588 W;ClO2(aq) 117.59 W;ClO3[-] -3.165 W;HOCl(aq) -80.063 W;Cl[-] -131.24 W;Cl2(aq) 6.872 W;ClO[-] -36.735 W;HClO2(aq) 5.816 W
Co|Co3O4|-795|Co[2+] -54.456 W;Co(OH)2(aq) -369.07 W;Co[3+] 133.69 W;HCoO2[-] -407.57 W
Cr|Cr2O3|-1053|CrO4[2-] -728 W;Cr2O7[2-] -1301.7 W;HCrO4[-] -764.99 W;Cr[2+] -176.2 B;Cr[3+] -215.78 B;Cr(OH)[2+] -430.92 I
Cs|Cs2O|-308.4|Cs[+] -281.86 B
Cu|CuO|-134.2|Cu[+] 49.875 W;CuO(aq) -87.025 S;Cu[2+] 65.508 W;CuO2[2-] -183.7 W;HCuO2[-] -258.6 W;CuOH[+] -126.35 S
Dy|Dy2O3|-1771|Dy[3+] -665.93 W
Er|Er2O3|-1809|Er[3+] -669.14 W
Eu|Eu2O3|-1568|Eu[2+] -539.99 W;Eu[3+] -574.09 W
F|NaF|-549.6|F[-] -278.83 W;HF2[-] -577.98 W;HF(aq) -296.84 W
Fe|Fe2O3|-741.5|Fe(OH)3(aq) -659.4 W;Fe2(OH)2[4+] -467.26 W;FeO4[2-] -322.21 M;Fe[2+] -78.874 W;Fe[3+] -4.612 W;FeO2[2-] -295.3 W;FeOH[+] -277.28 W;FeOH[2+] -229.59 W;Fe(OH)2[+] -438.06 W;FeO2[-] -368.24 J;HFeO2[-] -377.81 W
Ga|Ga2O3|-998.4|Ga[2+] -87.875 W;Ga[3+] -158.98 W;GaO3[3-] -619.31 W;Ga(OH)[2+] -380.37 W;Ga(OH)2[+] -597.55 W;HGaO3[2-] -686 N;H2GaO3[-] -744.84 W
Gd|Gd2O3|-1739|Gd[3+] -661.26 W
Ge|GeO2|-521.4|HGeO2[-] -382.49 P;HGeO3[-] -711.47 B
Hf|HfO2|-1088|Hf[4+] -656.04 R;HfO[2+] -778.21 S;HHfO2[+] -994.94 S;HfO2(aq) -968.16 S;HfOH[3+] -790.76 S;HHfO3[-] -1168.1 S
Hg|HgO|-58.54|Hg(aq) 39.116 W;Hg2[2+] 153.58 W;Hg(OH)[+] -52.491 W;HHgO2[-] -190.37 W;Hg(OH)2(aq) -274.91 W;Hg[2+] 164.47 W
Ho|Ho2O3|-1792|Ho[3+] -673.42 W
I|I2O5|-177.1|I2(aq) 16.305 W;IO[-] -38.562 W;HIO3(aq) -132.59 W;I[-] -51.633 W;HIO(aq) -99.168 W;H2OI[+] -106.69 W;I2OH[-] -230.12 W;I3[-] -51.411 W;IO3[-] -128.16 W
In|In2O3|-831.9|In[2+] -50.626 W;In[3+] -97.917 W;In(OH)[2+] -312.82 W;In(OH)2[+] -525.11 W;In[+] -12.134 W;InO2[-] -431.45 P
Ir|IrO2|-117.1|IrO4[2-] -196.64 R
K|K2O|-322.1|K[+] -282.71 B
La|La2O3|-1707|La[3+] -683.66 W
Li|Li2O|-561.2|Li[+] -293.71 B;LiOH(aq) -451.85 W
Lu|Lu2O3|-1789|Lu[3+] -629.86 W
Mg|MgO|-569.3|MgOH[+] -626.76 W;Mg[2+] -454.8 W
Mn|MnO2|-466.1|Mn[2+] -227.93 W;MnO4[-] -447.15 W;MnOH[+] -405.1 W;Mn(OH)3[-] -744.33 W;Mn[3+] -81.983 B;MnO4[2-] -500.69 W
Mo|MoO3|-668.2|MoO4[2-] -836.27 W;Mo[3+] -57.25 P
N|N2O5|113.7|NH4[+] -79.497 W;N2H5[+] 82.515 W;HONO(aq) -50.485 W;N2(aq) 18.318 B;N3[-] 348.23 W;NH3(aq) -26.531 W;HN3(aq) 321.82 W;ONO[-] -37.245 W;N2O2[2-] 138.88 B;N2H4(aq) 128.1 W;NO3[-] -111.48 W;HNO3(aq) -111.35 W
Na|Na2O|-376.3|Na[+] -261.86 B
Nb|Nb2O5|-1766|NbO3[-] -932.19 W;Nb(OH)5(aq) -1448.5 W;Nb(OH)4[+] -1208.8 W
Nd|Nd2O3|-1722|Nd[3+] -671.79 W
Ni|NiO|-211.6|NiO2[2-] -268.61 S;NiOH[+] -227.23 K;Ni(OH)4[2-] -743.79 K;Ni[2+] -46.303 K;Ni(OH)2(aq) -406.05 K;Ni(OH)3[-] -586.57 K;HNiO2[-] -343 S;NiO(aq) -164.6 S
Os|OsO2|-239.2|H2OsO5[-] -539.07 W;HOsO5[-] -470.28 W;OsO4(aq) -301.87 W
P|P2O5|-1362|PH3(aq) 25.343 W;PO4[3-] -1018.4 W;P2O7[4-] -1919.4 W;HPO4[2-] -1089.3 W;H3PO4(aq) -1142.6 W;HP2O7[3-] -1972.2 W;H3P2O7[-] -2023.4 W;H4P2O7(aq) -2032.1 W;H2PO4[-] -1130.3 W;PH4[+] 92.048 W;HPO3[2-] -811.64 W;H2PO3[-] -846.7 W;H2P2O7[2-] -2010.9 W
Pb|PbO2|-215.5|Pb[4+] 299.94 P;Pb[2+] -24.406 W;Pb3(OH)4[2+] -888.76 W;Pb6(OH)8[4+] -1800.5 W;PbOH[+] -226.35 W;HPbO2[-] -338.48 W;Pb4(OH)4[4+] -936.41 W
Pd|PdO|-85.24|Pd[2+] 176.73 W
Pr|Pr2O3|-1720|PrOH[2+] -861.9 W;Pr[3+] -678.56 W;Pr(OH)2[+] -1075.3 W
Pt|Pt|-0|Pt[2+] 185.77 W
Pu|PuO2|-999.2|Pu[3+] -586.79 B
Rb|Rb2O|-300|Rb[+] -281.73 B
Re|ReO3|-532.4|Re[-] 10.043 W;Re[+] -33.472 W;ReO4[-] -694.81 W;Re[3+] 86.102 P
Rh|Rh2O3|-209.2|RhO(aq) -30.208 A;Rh[3+] 231.37 R;RhOH[+] -76.524 A;RhOH[2+] -3.4308 A;RhO[+] 13.138 A;Rh[2+] 115.89 A
Ru|RuO2|-252.8|RuO4[2-] -303.76 W;RuO4[-] -245.6 W;Ru(OH)2[2+] -213.38 W;RuO4(aq) -147.64 W;H2RuO5(aq) -338.52 P;HRuO5[-] -275.05 P
S|Na2SO4|-1279|S[2-] 86.259 W;S3[2-] 74.03 W;S4[2-] 69.48 W;S2O4[2-] -600.07 W;S2O8[2-] -1110.2 W;S5O6[2-] -955.29 W;HS2O4[-] -614.71 W;H2SO4(aq) -744.72 W;HS[-] 12.127 W;H2S(aq) -27.516 W;SO4[2-] -744.27 W;S2O3[2-] -518.18 W;S2O5[2-] -790.42 B;S3O6[2-] -957.82 W;HSO3[-] -527.68 W;HSO4[-] -756.04 W;HSO5[-] -637.5 S;S2[2-] 79.961 W;S5[2-] 66.602 W;SO2(aq) -300.5 W;SO3[2-] -477.47 W;S2O6[2-] -966.17 W;S4O6[2-] -1021.6 W;H2S2O4(aq) -616.8 W;H2S2O3(aq) -535.54 S;HS2O3[-] -532.19 S
Sb|Sb2O5|-864.9|SbO2[-] -340.24 W;SbO[+] -177.11 W;HSbO2(aq) -407.53 W
Sc|Sc2O3|-1819|Sc(OH)[2+] -800.13 W;Sc[3+] -586.18 W
Se|Se|0|Se[2-] 178.18 B;SeO3[2-] -370.13 W;H2SeO3(aq) -426.29 W;HSeO4[-] -452.32 W;HSe[-] 43.726 W;H2Se(aq) 21.952 W;SeO4[2-] -441.45 W;HSeO3[-] -411.7 W;H2SeO4(aq) -441.05 B
Si|SiO2|-856.5|H4SiO4(aq) -1316.5 W;HSi(OH)6[-] -1734.7 W;H2SiO3(aq) -1079 W
Sm|Sm2O3|-1734|Sm[3+] -666.58 W;Sm[2+] -497.48 W
Sn|SnO|-251.9|Sn[2+] -26.347 W;SnOH[+] -254.91 W;SnO3[2-] -570.09 P;SnO(OH)[+] -474.05 W;Sn[4+] 2.6965 P;HSnO2[-] -406.55 P
Sr|SrO|-562.4|Sr[2+] -558.6 W;SrOH[+] -721.32 W
Ta|Ta2O5|-1911|TaO2[+] -842.6 R
Tb|Tb2O3|-1777|Tb[3+] -652 W
Tc|TcO2|-369.4|TcO4[-] -624.83 P;Tc[2+] 76.54 P;HTcO4(aq) -624.17 P
Te|TeO2|-270.3|H2Te(aq) 142.67 R;HTe[-] 157.73 R;H2TeO4(aq) -550.86 R;Te[4+] 219.15 R;Te(OH)3[+] -496.09 R;H2TeO3(aq) -476.3 R;HTeO4[-] -515.75 R;TeO4[2-] -456.47 R;HTeO3[-] -436.55 R;TeO3[2-] -392.41 R;TeO(OH)[+] -258.48 R
Th|ThO2|-1169|Th[4+] -704.96 W
Ti|TiO2|-888.8|TiO[2+] -572.5 P;TiO2[2+] -463.27 P;Ti[2+] -311.55 P;Ti[3+] -346.82 P;HTiO3[-] -947.77 P
Tl|Tl2O|-138.6|Tl[+] -32.313 W;Tl[3+] 214.77 W;TlOH(aq) -189.65 W;Tl(OH)2[+] -244.76 W;TlOH[2+] -15.899 W
Tm|Tm2O3|-1795|Tm[3+] -661.86 W
U|U3O8|-3370|UO2[2+] -989.27 B;U[3+] -520.61 B;U[4+] -579.14 B;UO2[+] -994.26 B;UOH[3+] -809.48 B
V|VO2|-657.5|V2O7[4-] -1719.8 W;VOH2O2[3+] -523.48 W;HVO4(aq) -745.26 W;H2V10O28[4-] -7724.6 W;VO2[+] -586.95 W;VO3[-] -783.54 W;VO4[3-] -899.25 W;HVO4[2-] -974.8 W;HV2O7[3-] -1792.7 W;VO[2+] -446.47 W;VO4[-] -853.28 W;H2VO4[+] -746.52 W;H3V2O7[-] -1864.2 W;HV10O28[5-] -7702.5 W
W|WO3|-763.9|WO4[2-] -920.44 B
Y|Y2O3|-1816|Y[3+] -693.71 W;Y2(OH)2[4+] -1780.3 W;Y(OH)[2+] -879.05 W
Yb|Yb2O3|-1727|Yb[2+] -527.18 W;Yb[3+] -762.42 W
Zn|ZnO|-320.5|Zn[2+] -147.05 W;ZnO2[2-] -384.35 W;ZnOH[+] -330.16 W;HZnO2[-] -457.2 W;Zn(OH)2(aq) -522.8 W
Zr|ZrO2|-1043|ZrO[2+] -840.53 B
`;

/** The sources of the ions by the letter in the table. */
export const ION_SOURCES: Readonly<Record<string, string>> = {
  A: 'Sassani and Shock, Geochim. Cosmochim. Acta 62, 2643 (1998)',
  B: 'Barner and Scheuerman, Handbook of Thermochemical Data (1978)',
  I: 'Barin, Knacke and Kubaschewski, Thermochemical Properties (1977)',
  J: 'Johnson, Oelkers and Helgeson, Comput. Geosci. 18, 899 (1992)',
  K: 'Beverskog and Puigdomenech, Corros. Sci. (1997)',
  M: 'Misawa, Corros. Sci. 13, 659 (1973)',
  N: 'Wagman et al., NBS Tables (1982)',
  P: 'Pourbaix, Atlas of Electrochemical Equilibria (1974)',
  R: 'Brookins, Eh-pH Diagrams for Geochemistry (1988)',
  S: 'Shock et al., Geochim. Cosmochim. Acta 61, 907 (1997)',
  W: 'Wagman et al., NBS Technical Note 270 (1968 to 1971)',
};

/**
 * Gibbs energies of formation of solids at 298.15 K, kJ/mol, the most stable form of each: NBS Tables of Chemical
 * Thermodynamic Properties (D. D. Wagman et al., J. Phys. Chem. Ref. Data 11, suppl. 2 (1982)). They have the
 * hydroxides that JANAF lacks, and are of the same origin as most ions.
 */
export const NBS_SOLIDS =
  'Ag2O -11.2;AgO 13.8;Ag2O3 121.4;Al2O3 -1582.3;AlO(OH) -920.89;Al(OH)3 -1155.105;CoO -214.2;Co3O4 -774;Co(OH)2 -458.1;Cr2O3 -1058.1;CuO -129.7;Cu2O -146;Fe0.947O -245.12;Fe2O3 -742.2;Fe3O4 -1015.4;Fe(OH)2 -486.5;Fe(OH)3 -696.5;MnO -362.9;MnO2 -465.14;Mn2O3 -881.1;Mn3O4 -1283.2;Mn(OH)2 -615;NiO -211.7;Ni(OH)2 -447.2;SnO -256.9;SnO2 -519.6;Sn(OH)2 -491.6;TiO -495;TiO2 -889.5;Ti2O3 -1434.2;Ti3O5 -2317.4;TiH2 -80.3;VO -404.2;V2O3 -1139.3;VO2 -659.15;V2O5 -1419.5;V3O5 -1803;V4O7 -2456;ZnO -318.3;Zn(OH)2 -555.07';
